import { gradeEvents, levelEvents, subjectEvents, topicEvents } from '@lms/contracts/events/content';
import type { EventDefinition } from '@lms/contracts/events/definition';
import type { Kind } from './table.ts';

/** The names of a kind, and its parent and child kinds. */
export interface KindDefinition {
  plural: string;
  /** The name in schemas and operation ids. */
  title: string;
  /** The name in error texts. */
  label: string;
  /** The name in the details of a 409 CONFLICT. */
  resource: string;
  parent: Kind | null;
  child: Kind | null;
  parentField: 'educationLevelId' | 'gradeId' | 'subjectId' | null;
  events: Record<'created' | 'updated' | 'deleted' | 'restored' | 'purged', EventDefinition>;
}

export const kinds: Record<Kind, KindDefinition> = {
  level: {
    plural: 'levels',
    title: 'Level',
    label: 'Education level',
    resource: 'EducationLevel',
    parent: null,
    child: 'grade',
    parentField: null,
    events: levelEvents,
  },
  grade: {
    plural: 'grades',
    title: 'Grade',
    label: 'Grade',
    resource: 'Grade',
    parent: 'level',
    child: 'subject',
    parentField: 'educationLevelId',
    events: gradeEvents,
  },
  subject: {
    plural: 'subjects',
    title: 'Subject',
    label: 'Subject',
    resource: 'Subject',
    parent: 'grade',
    child: 'topic',
    parentField: 'gradeId',
    events: subjectEvents,
  },
  topic: {
    plural: 'topics',
    title: 'Topic',
    label: 'Topic',
    resource: 'Topic',
    parent: 'subject',
    child: null,
    parentField: 'subjectId',
    events: topicEvents,
  },
};
