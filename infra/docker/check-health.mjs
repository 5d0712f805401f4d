// Health check of a container: requests /livez, or the given path, on the admin port, or on HEALTH_PORT if there is none.
const { ADMIN_PORT, HEALTH_PORT = ADMIN_PORT } = process.env;
const url = `http://127.0.0.1:${HEALTH_PORT}${process.argv[2] ?? '/livez'}`;

const { status } = await fetch(url, { signal: AbortSignal.timeout(2_500) });
if (status !== 200) throw new Error(`${url} responded with ${status}`);
