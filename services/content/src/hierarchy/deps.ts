import type { Access } from '@lms/contracts/internal/content';
import type { Principal } from '@lms/contracts/passport';
import type { Database } from '@lms/database/connect';
import type { CallContext } from '@lms/service/service-client';
import type { Node } from './repository.ts';

export interface HierarchyDeps {
  database: Pick<Database, 'db'>;
  /** The rule of who may read and who may manage, from the room next door. */
  entitlement: {
    checkAccess: (subject: Node, accessRequest: { caller: Principal | null; context: CallContext }) => Promise<Access>;
    canManage: (subject: Node, caller: Principal | null) => boolean;
    isMentorOf: (subject: Node, caller: Principal) => boolean;
  };
  /** Texts of topics are for everybody. */
  contentIsPublic: boolean;
  /** Under which links are told. */
  publicUrl: string;
}
