import { type Static, Type } from '@sinclair/typebox';

/** Generated ids: cuid2, 24 characters. */
export const idPattern = '^[a-z][0-9a-z]{23}$';

export const Id = Type.String({
  pattern: idPattern,
  description: 'Opaque identifier',
  examples: ['tz4a98xxat96iws9zmbrgj3a'],
});
export type Id = Static<typeof Id>;

const expression = new RegExp(idPattern);

/** Malformed ids cannot exist, so they get a 404 before the body is parsed. */
export const isId = (value: unknown): value is Id => typeof value === 'string' && expression.test(value);

/** The schema keyword that names the resource of a path parameter, for its 404. */
export const resourceKeyword = 'x-resource';

/** The path parameter for the id of a resource, such as `'Topic'`. */
export const idOf = (resource: string) => Type.String({ ...Id, [resourceKeyword]: resource });

/** The parameters of a path with a single id. */
export const idParams = (resource: string) => Type.Object({ id: idOf(resource) });
export type IdParams = Static<ReturnType<typeof idParams>>;
