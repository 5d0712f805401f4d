import { isId } from '@lms/contracts/ids';
import type { FastifyInstance } from 'fastify';
import { parse } from 'secure-json-parse';
import { BadRequest, invalid, MalformedJson, NotFound, RouteNotFound, UnsupportedMediaType } from './problems.ts';
import { cleanText } from './text-hygiene.ts';

const maxDepth = 32;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Bodies are UTF-8 JSON without prototype games; their texts arrive trimmed and in NFC; no body counts as `{}`. */
export function acceptJsonOnly(app: FastifyInstance) {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (_request: unknown, body: Buffer) =>
    body.length === 0 ? undefined : parseJson(body),
  );
  app.addHook('preParsing', async (request, _reply, payload) => {
    if (request.is404) throw new RouteNotFound();
    // Every path parameter of ours is an id; one that cannot exist is a 404 whatever the body holds.
    const named = Object.entries(Object(request.params)).filter(([name]) => name !== '*');
    if (!named.every(([, value]) => isId(value))) throw new NotFound();
    if (request.headers['content-encoding'] !== undefined) throw new UnsupportedMediaType();
    return payload;
  });
  app.addHook('preValidation', async (request) => {
    const body = cleanText(request.body ?? {}, maxDepth);
    if (body.tooDeep)
      throw new BadRequest({
        details: { field: 'body', message: `must not nest deeper than ${maxDepth}`, value: null },
      });
    const [first, ...rest] = [...cleanText(request.query, maxDepth).issues, ...body.issues];
    if (first) throw invalid(first, ...rest);
    request.body = body.value;
  });
}

/** @throws MalformedJson for anything that is no UTF-8 JSON, or that reaches for a prototype */
export function parseJson(body: Buffer): unknown {
  try {
    return parse(utf8.decode(body), undefined, { protoAction: 'error', constructorAction: 'error' });
  } catch (cause) {
    throw new MalformedJson({ cause });
  }
}
