import type { CurriculumDocument, CurriculumVideo } from '@lms/contracts/curriculum';
import type { Kind } from '../hierarchy/table.ts';

/** A level, grade, subject or topic of a curriculum, without its children. Files are paths in an archive. */
export interface CurriculumItem {
  kind: Kind;
  /** Only in exports: what identifiers are made from where there is no external id. */
  id?: string;
  externalId: string | null;
  name: string;
  description: string;
  position: number;
  isActive: boolean;
  imageUrl?: string | null;
  level?: 'primary' | 'secondary' | 'higher';
  mentorEmail?: string | null;
  /** Only some of the children follow. */
  partial?: true;
  content?: string;
  video?: CurriculumVideo | null;
  documents?: CurriculumDocument[];
}

/** What a cartridge says about an item, and values for fields that it leaves out, if the item is created. */
export interface CartridgeItem {
  kind: Kind;
  fields: Pick<CurriculumItem, 'name'> & {
    [Field in Exclude<keyof CurriculumItem, 'kind' | 'id' | 'name'>]?: CurriculumItem[Field] | undefined;
  };
  defaults: Pick<CurriculumItem, 'description' | 'level' | 'content'>;
}

/** Something in a file that could not be taken as it is. Errors prevent the import. */
export interface Issue {
  severity: 'warning' | 'error';
  code: string;
  message: string;
  line?: number;
}
