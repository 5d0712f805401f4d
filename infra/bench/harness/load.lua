-- Sends the requests of a file in turn: one a line, as method, path, token and body, separated by tabs.
local requests, at = {}, 0

function init(args)
  local json = "application/json"
  for line in io.lines(args[1]) do
    local method, path, token, body = line:match("^(%S+)\t(%S+)\t(%S+)\t(.*)$")
    local headers = { authorization = "Bearer " .. token }
    if body ~= "" then headers["content-type"] = json end
    requests[#requests + 1] = wrk.format(method, path, headers, body ~= "" and body or nil)
  end
end

function request()
  at = at % #requests + 1
  return requests[at]
end
