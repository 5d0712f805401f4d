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
  const [second, mentor, one, other, applicant, outsider, counted] = [
    await create('admin'),
    await create('mentor'),
    await create('one'),
    await create('other'),
    await create('applicant'),
    await create('outsider'),
    await create('counted'),
  ];
  const roles = (user: User) => `/users/${user.id}/roles`;
  await send({ user: admin, method: 'POST', path: roles(second), json: { role: 'ADMIN' }, repeat: true });
  await send({ user: admin, method: 'POST', path: roles(mentor), json: { role: 'MENTOR' }, repeat: true });
  await send({ user: admin, method: 'PUT', path: `/users/${counted.id}`, json: { plan: 'PRO' }, repeat: true });
  return { admins: [admin, second], mentor, learners: [one, other], applicant, outsider, counted };
}
