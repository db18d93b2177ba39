-- Sends prepared requests in order: METHOD, path, key and body, tab-separated.
local requests = {}
for line in io.lines(os.getenv("BENCH_REQUESTS")) do
  local method, path, key, body = line:match("^(%S+)\t(%S+)\t(%S+)\t?(.*)$")
  local headers = { ["Authorization"] = "Bearer " .. key }
  if body ~= "" then headers["Content-Type"] = "application/json" end
  requests[#requests + 1] = { method, path, headers, body ~= "" and body or nil }
end

-- Formatted once on first use, since wrk would otherwise be the bottleneck.
local formatted = {}
local at = 0

function request()
  at = at % #requests + 1
  if not formatted[at] then
    local r = requests[at]
    formatted[at] = wrk.format(r[1], r[2], r[3], r[4])
  end
  return formatted[at]
end
