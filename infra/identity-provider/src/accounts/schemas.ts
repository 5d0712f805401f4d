import { type Static, type StringOptions, Type } from '@sinclair/typebox';
import type { Account } from '../store.ts';

const Nullable = (options: StringOptions) => Type.Unsafe<string | null>({ type: ['string', 'null'], ...options });
const Email = Type.String({ format: 'email', maxLength: 254 });
const Password = Type.String({ minLength: 1, maxLength: 256 });
const PersonName = Nullable({ maxLength: 200 });

export const CreateUser = Type.Object({
  email: Email,
  password: Password,
  firstName: Type.Optional(PersonName),
  lastName: Type.Optional(PersonName),
  emailVerified: Type.Optional(Type.Boolean()),
});
export type CreateUser = Static<typeof CreateUser>;

export const ChangeUser = Type.Partial(CreateUser, { minProperties: 1 });
export type ChangeUser = Static<typeof ChangeUser>;

export const UserParams = Type.Object({ id: Type.String() });

/** A user in the API: the webhook's representation, with the e-mail address at the top level. */
export const User = Type.Object({
  id: Type.String(),
  email: Type.String(),
  email_addresses: Type.Array(
    Type.Object({
      id: Type.String(),
      email_address: Type.String(),
      verification: Type.Object({ status: Type.Union([Type.Literal('verified'), Type.Literal('unverified')]) }),
    }),
  ),
  primary_email_address_id: Type.String(),
  first_name: Nullable({}),
  last_name: Nullable({}),
  created_at: Type.Integer({ description: 'Epoch milliseconds' }),
  updated_at: Type.Integer({ description: 'Epoch milliseconds; increases with every change' }),
});
export type User = Static<typeof User>;

export const DeletedUser = Type.Object({ id: Type.String(), deleted: Type.Literal(true) });

export function toUser(account: Account): User {
  return { ...toWebhookUser(account), email: account.email };
}

export function toWebhookUser(account: Account): Omit<User, 'email'> {
  return {
    id: account.id,
    email_addresses: [
      {
        id: account.emailId,
        email_address: account.email,
        verification: { status: account.emailVerified ? 'verified' : 'unverified' },
      },
    ],
    primary_email_address_id: account.emailId,
    first_name: account.firstName,
    last_name: account.lastName,
    created_at: account.createdAt,
    updated_at: account.updatedAt,
  };
}
