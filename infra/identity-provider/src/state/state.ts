import { type Static, Type } from '@sinclair/typebox';

export const Account = Type.Object({
  id: Type.String(),
  email: Type.String(),
  emailId: Type.String(),
  emailVerified: Type.Boolean(),
  firstName: Type.Union([Type.String(), Type.Null()]),
  lastName: Type.Union([Type.String(), Type.Null()]),
  passwordHash: Type.String(),
  /** Epoch milliseconds, as in the webhook; `updatedAt` increases with every change, even within one millisecond. */
  createdAt: Type.Integer(),
  updatedAt: Type.Integer(),
});
export type Account = Static<typeof Account>;

/** A private RSA key as a JWK. */
export const SigningKey = Type.Object({
  kid: Type.String(),
  kty: Type.Literal('RSA'),
  alg: Type.Literal('RS256'),
  use: Type.Literal('sig'),
  n: Type.String(),
  e: Type.String(),
  d: Type.String(),
  p: Type.String(),
  q: Type.String(),
  dp: Type.String(),
  dq: Type.String(),
  qi: Type.String(),
});
export type SigningKey = Static<typeof SigningKey>;

/** A webhook that the receiver has not acknowledged yet. The body does not change; it is signed again for every attempt. */
export const Delivery = Type.Object({
  id: Type.String(),
  userId: Type.String(),
  type: Type.String(),
  body: Type.String(),
});
export type Delivery = Static<typeof Delivery>;

export const State = Type.Object({
  accounts: Type.Array(Account),
  /** Newest first: the first key signs, all are published. */
  keys: Type.Array(SigningKey, { minItems: 1 }),
  cookieKeys: Type.Array(Type.String(), { minItems: 1 }),
  /** Oldest first. */
  deliveries: Type.Array(Delivery),
});
export type State = Static<typeof State>;
