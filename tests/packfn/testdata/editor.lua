-- Opens a file of a package in Neovim, waits for the findings of packfn, and applies all fixes.
local out = io.open(os.getenv('OUT'), 'w')
local function finish(text)
  out:write(text)
  out:close()
  vim.cmd('qa!')
end
vim.cmd('edit ' .. os.getenv('FILE'))
local id = vim.lsp.start_client({ name = 'packfn', cmd = { os.getenv('PACKFN'), 'lsp' }, root_dir = vim.fn.getcwd() })
vim.lsp.buf_attach_client(0, id)
local function found() return #vim.diagnostic.get(0) > 0 end
if not vim.wait(300000, found, 20) then finish('no diagnostics') end
for _, d in ipairs(vim.diagnostic.get(0)) do
  out:write(string.format('%d:%d-%d:%d %s %s\n', d.lnum + 1, d.col + 1, d.end_lnum + 1, d.end_col + 1, d.code or d.user_data.lsp.code, d.source))
end
local params = vim.lsp.util.make_range_params()
params.context = { diagnostics = {}, only = { 'source.fixAll' } }
local answers = vim.lsp.buf_request_sync(0, 'textDocument/codeAction', params, 300000)
for client, answer in pairs(answers or {}) do
  for _, action in ipairs(answer.result or {}) do
    out:write(action.title .. '\n')
    vim.lsp.util.apply_workspace_edit(action.edit, vim.lsp.get_client_by_id(client).offset_encoding)
  end
end
vim.wait(300000, function() return not found() end, 20)
out:write(#vim.diagnostic.get(0) .. ' left\n')
vim.cmd('write')
finish('done\n')
