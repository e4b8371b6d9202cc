-- Shows an example with its findings in Neovim, asks for what is known of a value, and writes
-- the cells of the screen: their texts, colors, and how they are set.
vim.o.columns, vim.o.lines, vim.o.laststatus, vim.o.signcolumn = 118, 31, 0, 'yes'
vim.o.termguicolors, vim.o.background, vim.o.number, vim.o.ruler = true, 'light', true, false
vim.filetype.add({ filename = { Kptfile = 'yaml' } })
vim.cmd('edit ' .. os.getenv('FILE'))
vim.cmd('syntax on | set filetype=yaml')
for name, color in pairs({
  Comment = '#6a737d', Identifier = '#22863a', String = '#032f62', Constant = '#005cc5', Number = '#005cc5', Boolean = '#005cc5',
  Statement = '#22863a', PreProc = '#d73a49', Type = '#6f42c1', Special = '#e36209', LineNr = '#b5bcc4', NonText = '#b5bcc4',
  DiagnosticError = '#cb2431', DiagnosticWarn = '#b08800', DiagnosticHint = '#6a737d', DiagnosticInfo = '#005cc5', Title = '#005cc5',
}) do
  vim.cmd(string.format('highlight %s guifg=%s guibg=NONE gui=NONE', name, color))
end
vim.cmd('highlight NormalFloat guibg=#f3f4f6 | highlight FloatBorder guibg=#f3f4f6 guifg=#b5bcc4 | highlight SignColumn guibg=NONE')

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

-- inspect returns a cell of a grid, nil for none.
local function inspect(grid, row, col)
  local found, cell = pcall(vim.api.nvim__inspect_cell, grid, row, col)
  if not found or not cell[1] then return nil end
  local set = cell[2] or {}
  return { text = cell[1], foreground = set.foreground, background = set.background, bold = set.bold, italic = set.italic, underline = set.underline or set.undercurl }
end
local rows = {}
for row = 1, vim.o.lines do
  rows[row] = {}
  for col = 1, vim.o.columns do rows[row][col] = inspect(1, row - 1, col - 1) end
end
-- Without a user interface the window on top is a grid of its own.
for _, window in ipairs(vim.api.nvim_list_wins()) do
  if vim.api.nvim_win_get_config(window).relative ~= '' then
    local at = vim.api.nvim_win_get_position(window)
    for grid = 2, 20 do
      for row = 0, vim.api.nvim_win_get_height(window) + 1 do
        for col = 0, vim.api.nvim_win_get_width(window) + 1 do
          rows[at[1] + row + 1][at[2] + col + 1] = inspect(grid, row, col) or rows[at[1] + row + 1][at[2] + col + 1]
        end
      end
    end
  end
end
local out = io.open(os.getenv('OUT'), 'w')
out:write(vim.json.encode(rows))
out:close()
vim.cmd('qa!')
