-- Prints what wrk has measured as JSON. With a file as argument, it sends the requests of its lines in turn: method, path,
-- token and body, separated by tabs.

function init(args)
  if not args[1] then return end
  local requests, at = {}, 0
  for line in io.lines(args[1]) do
    local method, path, token, body = line:match("^(%S+)\t(%S+)\t(%S+)\t(.*)$")
    local headers = { authorization = "Bearer " .. token }
    if body ~= "" then headers["content-type"] = "application/json" end
    requests[#requests + 1] = wrk.format(method, path, headers, body ~= "" and body or nil)
  end
  function request()
    at = at % #requests + 1
    return requests[at]
  end
end

function done(summary, latency)
  local errors = summary.errors
  local failed = errors.connect + errors.read + errors.write + errors.status + errors.timeout
  local line = '\n{"requests":%d,"requestsPerSecond":%f,"p50Ms":%f,"p99Ms":%f,"failed":%d}\n'
  local perSecond = summary.requests * 1e6 / summary.duration
  io.write(line:format(summary.requests, perSecond, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3, failed))
end
