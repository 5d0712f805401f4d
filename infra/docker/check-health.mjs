// A container's health check: asks the admin port, /livez unless another path is given. HEALTH_PORT is for a process without one.
const port = process.env.HEALTH_PORT ?? process.env.ADMIN_PORT;
const path = process.argv[2] ?? '/livez';

try {
  const { status } = await fetch(`http://127.0.0.1:${port}${path}`, { signal: AbortSignal.timeout(2_500) });
  if (status !== 200) throw new Error(`${path} answers ${status}`);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
