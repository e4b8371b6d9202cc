-- Shows an example with its findings in Neovim and asks for what is known of a value, as the
-- user interface of another Neovim. Writes the cells of the screen: their texts and how they
-- are shown.
local width, height = 118, 31

-- What is run in the Neovim that is shown.
local shown = [[
vim.o.laststatus, vim.o.signcolumn, vim.o.number, vim.o.ruler = 0, 'yes', true, false
vim.o.termguicolors, vim.o.background = true, 'light'
vim.cmd('edit ' .. os.getenv('FILE') .. ' | syntax on | set filetype=yaml')
for name, color in pairs({
  Comment = '#6a737d', Identifier = '#22863a', String = '#032f62', Constant = '#005cc5', Statement = '#22863a', PreProc = '#d73a49', Type = '#6f42c1',
  Special = '#e36209', LineNr = '#b5bcc4', NonText = '#b5bcc4', Title = '#005cc5', FloatBorder = '#b5bcc4',
  DiagnosticError = '#cb2431', DiagnosticWarn = '#b08800', DiagnosticHint = '#6a737d', DiagnosticInfo = '#005cc5',
}) do
  vim.cmd(string.format('highlight %s guifg=%s guibg=NONE gui=NONE', name, color))
end
vim.cmd('highlight Normal guifg=#24292e guibg=#ffffff | highlight NormalFloat guibg=#f3f4f6 | highlight FloatBorder guibg=#f3f4f6 | highlight SignColumn guibg=NONE')
local id = vim.lsp.start_client({ name = 'packfn', cmd = { os.getenv('PACKFN'), 'lsp' }, root_dir = vim.fn.getcwd() })
vim.lsp.buf_attach_client(0, id)
vim.wait(300000, function() return #vim.diagnostic.get(0) > 0 end, 20)
local line, column = os.getenv('PLACE'):match('(%d+):(%d+)')
vim.api.nvim_win_set_cursor(0, { tonumber(line), tonumber(column) - 1 })
vim.cmd('normal! zt6\25') -- some lines above
vim.lsp.handlers['textDocument/hover'] = vim.lsp.with(vim.lsp.handlers.hover, { border = 'single', max_width = 90 })
vim.lsp.buf.hover()
vim.wait(300000, function() return #vim.api.nvim_list_wins() > 1 end, 20)
vim.cmd('redraw!')
]]

local rows, styles, default = {}, {}, {}
local function clear()
  for row = 1, height do
    rows[row] = {}
    for col = 1, width do rows[row][col] = { ' ', 0 } end
  end
end
-- The events of the user interface that change what is shown, see :help ui-linegrid.
local events = {
  grid_clear = clear,
  default_colors_set = function(foreground, background) default = { foreground = foreground, background = background } end,
  hl_attr_define = function(style, set) styles[style] = set end,
  grid_line = function(_, row, col, cells)
    local style = 0
    for _, cell in ipairs(cells) do
      style = cell[2] or style
      for _ = 1, cell[3] or 1 do
        rows[row + 1][col + 1] = { cell[1], style }
        col = col + 1
      end
    end
  end,
  grid_scroll = function(_, top, bottom, left, right, by)
    local from, to, step = top + 1, bottom - by, 1
    if by < 0 then from, to, step = bottom, top + 1 - by, -1 end
    for row = from, to, step do
      for col = left + 1, right do rows[row][col] = rows[row + by][col] end
    end
  end,
}

local function cellOf(cell)
  local set = styles[cell[2]] or {}
  local foreground, background = set.foreground or default.foreground, set.background
  if set.reverse then foreground, background = set.background or default.background, foreground end
  return { text = cell[1], foreground = foreground, background = background, bold = set.bold, italic = set.italic, underline = set.underline or set.undercurl }
end

clear()
local input, output = vim.loop.new_pipe(), vim.loop.new_pipe()
local process = vim.loop.spawn(vim.v.progpath, { args = { '--embed', '-u', 'NONE', '-i', 'NONE', '-n' }, stdio = { input, output, nil } }, function() end)
local read, rest, done = vim.mpack.Unpacker(), '', false
output:read_start(function(_, data)
  rest = rest .. (data or '')
  local at = 1
  while at <= #rest do
    local message, next = read(rest, at)
    if message == nil then break end
    at = next
    if message[1] == 1 and message[2] == 2 then done = message[3] ~= vim.NIL and message[3][2] or true end
    if message[1] == 2 and message[2] == 'redraw' then
      for _, batch in ipairs(message[3]) do
        for i = 2, #batch do
          if events[batch[1]] then events[batch[1]](unpack(batch[i])) end
        end
      end
    end
  end
  rest = rest:sub(at)
end)
input:write(vim.mpack.encode({ 0, 1, 'nvim_ui_attach', { width, height, { rgb = true, ext_linegrid = true } } }))
input:write(vim.mpack.encode({ 0, 2, 'nvim_exec_lua', { shown, {} } }))
vim.wait(300000, function() return done end, 20)
process:kill('sigterm')

local all = {}
for row, cells in ipairs(rows) do
  all[row] = {}
  for col, cell in ipairs(cells) do all[row][col] = cellOf(cell) end
end
local out = io.open(os.getenv('OUT'), 'w')
out:write(type(done) == 'string' and done or vim.json.encode(all))
out:close()
vim.cmd('qa!')
