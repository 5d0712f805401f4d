import type { Principal } from '@lms/contracts/passport';
import { defineProblem } from '@lms/service/problems';

const AccountSuspended = defineProblem('ACCOUNT_SUSPENDED', 403, 'This account is suspended');
const AccountInactive = defineProblem('ACCOUNT_INACTIVE', 403, 'This account is inactive');

/** @throws a 403 for accounts that are not in use */
export function requireActive({ status }: Principal) {
  if (status === 'SUSPENDED') throw new AccountSuspended();
  if (status === 'INACTIVE') throw new AccountInactive();
}
