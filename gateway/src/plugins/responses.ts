import { Readable } from 'node:stream';
import fp from 'fastify-plugin';

/**
 * Writes responses together, once all that has arrived is read. A write that wakes up the client, or a proxy before the
 * gateway, takes as long as the rest of a short response; the next write finds it awake. Streams are not delayed, because
 * their errors would be missed while nothing reads them.
 */
export const responses = fp(async (app) => {
  const due: (() => void)[] = [];

  function writeDue() {
    for (const write of due.splice(0)) write();
  }

  app.addHook('onSend', (_request, reply, payload, done) => {
    if (payload instanceof Readable) return done(null, payload);
    function write() {
      try {
        done(null, payload);
      } catch (err) {
        // A second response to the request, or an invalid header. Thrown here, it would end the process.
        reply.log.error({ err }, 'The response could not be written');
        if (!reply.raw.writableEnded) reply.raw.destroy();
      }
    }
    if (due.push(write) === 1) setImmediate(writeDue);
  });
});
