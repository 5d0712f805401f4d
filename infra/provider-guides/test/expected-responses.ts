/** The responses that the guides describe. */
export const unauthorized = { status: 401, code: 'UNAUTHORIZED' };
export const notSynchronised = { status: 403, code: 'FORBIDDEN', error: 'User not synchronised' };
export const accountInactive = { status: 403, code: 'ACCOUNT_INACTIVE' };
export const profileOfAda = {
  status: 200,
  data: {
    email: 'learner@lms.example',
    emailVerified: true,
    firstName: 'Ada',
    lastName: 'Learner',
    roles: ['LEARNER'],
  },
};
