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

export const IdParams = Type.Object({ id: Id });
export type IdParams = Static<typeof IdParams>;
