// Drives a load with autocannon in a separate process: node autocannon-client.mjs <plan.json>
import { readFileSync } from 'node:fs';
import autocannon from 'autocannon';

const { url, headers, requests, clients, seconds } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
let started = 0;
const result = await autocannon({
  url,
  headers,
  requests,
  connections: clients,
  duration: seconds,
  timeout: 30,
  // Each client begins at another place in the list. Otherwise all clients would send the same request at the
  // same time.
  setupClient: (client) => {
    const from = (started++ * 37) % requests.length;
    client.setRequests([...requests.slice(from), ...requests.slice(0, from)]);
  },
});
process.stdout.write(
  JSON.stringify({
    rps: result.requests.total / result.duration,
    p50: result.latency.p50,
    p99: result.latency.p99,
    failed: result.non2xx + result.errors + result.timeouts,
  }),
);
