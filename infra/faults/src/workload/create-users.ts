import { register, signIn } from 'local/running-stack';
import { fieldOf, type Journal, type User } from './journal.ts';

export interface Users {
  admins: [User, User];
  mentor: User;
  learners: [User, User];
  applicant: User;
  outsider: User;
  /** The only user with a quota. */
  counted: User;
}

/** Registers users at the identity provider and gives them their roles. */
export async function createUsers({ send }: Journal, providerUrl: string): Promise<Users> {
  const profileOf = async (email: string): Promise<User> => {
    const user = { id: '', email, identityProviderId: '', token: await signIn(providerUrl, email) };
    const profile = await send({ user, path: '/auth/profile', repeat: true });
    if (profile.status !== 200) throw new Error(`${email}: ${profile.status} ${JSON.stringify(profile.data)}`);
    return { ...user, id: fieldOf(profile, 'id'), identityProviderId: fieldOf(profile, 'identityProviderId') };
  };
  const create = async (name: string): Promise<User> => {
    const email = `${name}-${Date.now().toString(36)}@lms.test`;
    await register(providerUrl, { email, firstName: name, lastName: 'Workload' });
    return profileOf(email);
  };

  const admin = await profileOf('admin@lms.test');
  const users: Users = {
    admins: [admin, await create('admin')],
    mentor: await create('mentor'),
    learners: [await create('one'), await create('other')],
    applicant: await create('applicant'),
    outsider: await create('outsider'),
    counted: await create('counted'),
  };
  const assign = ({ id }: User, role: string) =>
    send({ user: admin, method: 'POST', path: `/users/${id}/roles`, json: { role }, repeat: true });
  await assign(users.admins[1], 'ADMIN');
  await assign(users.mentor, 'MENTOR');
  const plan = { user: admin, path: `/users/${users.counted.id}`, json: { plan: 'PRO' } };
  await send({ ...plan, method: 'PUT', repeat: true });
  return users;
}
