import type { Socket } from 'node:net';
import { buildConnector } from 'undici';

/**
 * Connects to a service. A service may answer an upload before its end, and close: what is still being written then
 * fails, and node would end the socket with the answer unread in it. So a failed write only stops the writing;
 * whatever the other side has said is read first, and then its end or its reset.
 */
export function createConnector(timeoutMs: number): buildConnector.connector {
  const connect = buildConnector({ timeout: timeoutMs });
  return (options, callback) =>
    connect(options, (...outcome) => {
      if (outcome[1]) readBeforeFailing(outcome[1]);
      callback(...outcome);
    });
}

function readBeforeFailing(socket: Socket) {
  const write = socket._write;
  socket._write = (chunk, encoding, done) => write.call(socket, chunk, encoding, (error) => error || done());
  const writeMany = socket._writev;
  if (writeMany) socket._writev = (chunks, done) => writeMany.call(socket, chunks, (error) => error || done());
}
