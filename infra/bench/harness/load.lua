-- Sends the requests of the lines of its standard input in turn: method, path, a header and a body, separated by tabs. Prints what wrk has
-- measured as JSON.

local function parse(line)
  local method, path, header, body = line:match("^(%S+)\t(%S+)\t([^\t]*)\t(.*)$")
  local headers = { Host = wrk.headers["Host"] }
  local name, value = header:match("^(%S+): (.*)$")
  if name then headers[name] = value end
  if body ~= "" then headers["content-type"] = "application/json" end
  return method, path, headers, body ~= "" and body or nil
end

function init()
  local requests, at = {}, 0
  for line in io.lines() do requests[#requests + 1] = line end
  if #requests == 1 then
    -- Without a function, wrk sends the same bytes each time, which takes less of the processor.
    wrk.method, wrk.path, wrk.headers, wrk.body = parse(requests[1])
    return
  end
  for index, line in ipairs(requests) do requests[index] = wrk.format(parse(line)) end
  function request()
    at = at % #requests + 1
    return requests[at]
  end
end

function done(summary, latency)
  local errors = summary.errors
  local failed = errors.connect + errors.read + errors.write + errors.status + errors.timeout
  local line = '\n{"requests":%d,"requests/s":%f,"p50 ms":%f,"p99 ms":%f,"failed":%d}\n'
  local perSecond = summary.requests * 1e6 / summary.duration
  io.write(line:format(summary.requests, perSecond, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3, failed))
end
