/** What the guides promise, in the gateway's words. */
export const refused = { status: 401, code: 'UNAUTHORIZED' };
export const unknown = { status: 403, code: 'FORBIDDEN', error: 'User not synchronised' };
export const gone = { status: 403, code: 'ACCOUNT_INACTIVE' };
export const welcome = {
  status: 200,
  data: {
    email: 'learner@lms.example',
    emailVerified: true,
    firstName: 'Ada',
    lastName: 'Learner',
    roles: ['LEARNER'],
  },
};
