import t from 'tap';
import { parseServers } from '../src/servers.ts';

t.test('credentials are separated from the server URLs', async (t) => {
  t.strictSame(parseServers('nats://identity:s%40cret@nats:4222, nats://identity:s%40cret@nats-2:4222'), {
    servers: ['nats://nats:4222', 'nats://nats-2:4222'],
    user: 'identity',
    pass: 's@cret',
  });
});

t.test('URLs without credentials stay unchanged', async (t) => {
  t.strictSame(parseServers('nats://127.0.0.1:4222,nats://nats.example'), {
    servers: ['nats://127.0.0.1:4222', 'nats://nats.example'],
  });
});

t.test('TLS is required if a URL says so', async (t) => {
  t.strictSame(parseServers('nats://127.0.0.1:4222,tls://nats.example'), {
    servers: ['nats://127.0.0.1:4222', 'tls://nats.example'],
    tls: {},
  });
});
