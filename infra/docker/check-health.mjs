// Health check of a container: requests /livez, or the given path, on the admin port, or on HEALTH_PORT if there is none.
const port = process.env.HEALTH_PORT ?? process.env.ADMIN_PORT;
const path = process.argv[2] ?? '/livez';

try {
  const { status } = await fetch(`http://127.0.0.1:${port}${path}`, { signal: AbortSignal.timeout(2_500) });
  if (status !== 200) throw new Error(`${path} responded with ${status}`);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
