import { type Static, Type } from '@sinclair/typebox';

/** The shape of the ids that this service generates (cuid2, 24 characters). */
export const idPattern = '^[a-z][0-9a-z]{23}$';

export const Id = Type.String({
  pattern: idPattern,
  description: 'Opaque identifier',
  examples: ['tz4a98xxat96iws9zmbrgj3a'],
});
export type Id = Static<typeof Id>;

const expression = new RegExp(idPattern);

/** False for ids that cannot exist: those are answered 404, whatever the body. */
export const isId = (value: unknown): value is Id => typeof value === 'string' && expression.test(value);

/** Under this name the schema of a path parameter says what a 404 says is missing. */
export const resourceKeyword = 'x-resource';

/** The id of one kind of resource in a path, as in `'Topic'`. */
export const idOf = (resource: string) => Type.String({ ...Id, [resourceKeyword]: resource });

/** The parameters of a path with one id: that of a resource of this kind. */
export const idParams = (resource: string) => Type.Object({ id: idOf(resource) });
export type IdParams = Static<ReturnType<typeof idParams>>;
