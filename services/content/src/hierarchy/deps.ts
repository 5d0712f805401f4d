import type { Access } from '@lms/contracts/internal/content';
import type { Principal } from '@lms/contracts/passport';
import type { Database } from '@lms/database/connect';
import type { CallContext } from '@lms/service/service-client';
import type { Node } from './repository.ts';

export interface HierarchyDeps {
  database: Pick<Database, 'db'>;
  /** The rule of who may read and who may manage, from the room next door. */
  authority: {
    decide: (subject: Node, asking: { caller: Principal | null; behalf: CallContext }) => Promise<Access>;
    mayManage: (subject: Node, caller: Principal | null) => boolean;
    isMentorOf: (subject: Node, caller: Principal) => boolean;
  };
  /** Texts of topics are for everybody. */
  contentIsPublic: boolean;
  /** Under which links are told. */
  publicUrl: string;
}
