import { Id } from '@lms/contracts/ids';
import { Role } from '@lms/contracts/passport';
import { Nullable, Timestamp } from '@lms/contracts/text';
import { Type } from '@sinclair/typebox';

/** An assignment of a role on the wire: users carry theirs, roles answer them. */
export const UserRole = Type.Object(
  {
    id: Id,
    userId: Id,
    role: Role,
    isActive: Type.Boolean(),
    assignedBy: Nullable(Type.String({ description: 'The assigning admin; null where the service did it by itself' })),
    effectiveStartDate: Timestamp(),
    effectiveEndDate: Nullable(Timestamp({ description: 'When the assignment was ended or replaced' })),
  },
  { title: 'UserRole' },
);
