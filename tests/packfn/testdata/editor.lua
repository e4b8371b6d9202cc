-- Opens a file in Neovim, waits for the findings of packfn, and does what the variables say:
-- at PLACE (line:column) the action TITLE, then all fixes, until LEFT findings are left.
local out = io.open(os.getenv('OUT'), 'w')
local function say(...) out:write(string.format(...) .. '\n') end
local function finish(text)
  say(text)
  out:close()
  vim.cmd('qa!')
end
local function wait(what, done)
  if not vim.wait(300000, done, 20) then finish('no ' .. what) end
end
vim.cmd('filetype on')
dofile(os.getenv('SETUP')) -- the lines of docs/editor.md
vim.cmd('edit ' .. os.getenv('FILE'))
wait('server', function() return #vim.lsp.get_active_clients() > 0 end)
local id = vim.lsp.get_active_clients()[1].id
local function count() return #vim.diagnostic.get(0) end
wait('diagnostics', function() return count() > 0 end)
local all = vim.diagnostic.get(0)
table.sort(all, function(a, b) return a.lnum < b.lnum end)
for _, d in ipairs(all) do
  say('%d:%d-%d:%d %s', d.lnum + 1, d.col + 1, d.end_lnum + 1, d.end_col + 1, d.code or d.user_data.lsp.code)
end

local client = vim.lsp.get_client_by_id(id)
-- ask returns the answer to a request for the place of the cursor.
local function ask(method, params)
  local answers, fault = vim.lsp.buf_request_sync(0, method, params, 300000)
  if not answers or not answers[id] or answers[id].error then
    finish(method .. ' has no answer: ' .. vim.inspect(fault or answers))
  end
  return answers[id].result
end
local function go(place)
  local line, column = place:match('(%d+):(%d+)')
  vim.api.nvim_win_set_cursor(0, { tonumber(line), tonumber(column) - 1 })
end
local function apply(title, only)
  local params = vim.lsp.util.make_range_params()
  params.context = { diagnostics = {}, only = only }
  for _, action in ipairs(ask('textDocument/codeAction', params) or {}) do
    if action.title == title then
      say('apply %s', title)
      vim.lsp.util.apply_workspace_edit(action.edit, client.offset_encoding)
      return
    end
  end
  finish('no action ' .. title)
end

if os.getenv('PLACE') ~= '' then
  go(os.getenv('PLACE'))
  say('hover %s', ask('textDocument/hover', vim.lsp.util.make_position_params()).contents.value:match('[^\n]*'))
  apply(os.getenv('TITLE'), nil)
end
apply('Fix all that packfn can fix in this file', { 'source.fixAll' })
local function open() -- accepted ones are hints
  local n = 0
  for _, d in ipairs(vim.diagnostic.get(0)) do
    if d.severity < vim.diagnostic.severity.HINT then n = n + 1 end
  end
  return n
end
wait('fixes', function() return open() <= tonumber(os.getenv('LEFT')) end)
say('%d left', open())
if os.getenv('COMPLETE') ~= '' and client.server_capabilities.completionProvider then
  go(os.getenv('COMPLETE'))
  local answer = ask('textDocument/completion', vim.lsp.util.make_position_params())
  local labels = {}
  for _, item in ipairs(answer.items or answer) do table.insert(labels, item.label) end
  say('complete %s', table.concat(labels, ' '))
end
local names = {}
for _, key in ipairs(ask('textDocument/documentSymbol', { textDocument = vim.lsp.util.make_text_document_params() })[1].children) do
  table.insert(names, key.name)
end
say('symbols %s', table.concat(names, ' '))
vim.cmd('write')
finish('done')
