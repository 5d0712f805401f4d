import type { Access } from '@lms/contracts/internal/content';
import type { Principal } from '@lms/contracts/passport';
import type { Database } from '@lms/database/connect';
import type { CallContext } from '@lms/service/service-client';
import type { SubjectAccess } from './repository.ts';
import type { InWriteSlot } from './write-slots.ts';

export interface HierarchyDeps {
  database: Pick<Database, 'db'>;
  /** Who may read protected content and who may manage it; `app.ts` passes in the entitlement module. */
  entitlement: {
    checkAccess: (
      subject: SubjectAccess,
      request: { caller: Principal | null; context: CallContext },
    ) => Promise<Access>;
    canManage: (subject: SubjectAccess, caller: Principal | null) => boolean;
    isMentorOf: (subject: SubjectAccess, caller: Principal) => boolean;
  };
  /** Topic texts are readable without access. */
  contentIsPublic: boolean;
  /** The base of the links to videos and documents. */
  publicUrl: string;
}

export interface WriteDeps extends HierarchyDeps {
  /** For everything that takes the structure lock. */
  inWriteSlot: InWriteSlot;
}
