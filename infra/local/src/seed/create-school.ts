import { Type } from '@sinclair/typebox';
import { school } from './school.ts';
import { RequestFailed, type ServiceClient } from './service-client.ts';

const Item = Type.Object({ id: Type.String(), name: Type.String() });

export interface Mentor {
  mentorId: string;
  mentorEmail: string;
}

export interface CreatedTopic {
  subjectId: string;
  topicId: string;
}

/**
 * Creates the sample content. Items that exist from an interrupted attempt are reused.
 * @returns the first subject, which is the mentor's, and its first topic
 */
export async function createSchool(
  request: ServiceClient,
  content: string,
  mentor: Mentor | undefined,
): Promise<CreatedTopic> {
  const ensure = async (
    type: string,
    fields: { name: string },
    parent: Record<string, string> = {},
  ): Promise<string> => {
    const path = `/api/admin/education/${type}`;
    try {
      const body = { ...fields, ...parent };
      return (await request({ service: content, method: 'POST', path, body, data: Item })).id;
    } catch (error) {
      if (!(error instanceof RequestFailed) || error.status !== 409) throw error;
      const query = new URLSearchParams({ ...parent, search: fields.name, limit: '100' });
      const items = await request({
        service: content,
        method: 'GET',
        path: `${path}?${query}`,
        data: Type.Array(Item),
      });
      const item = items.find(({ name }) => name === fields.name);
      if (!item) throw error;
      return item.id;
    }
  };

  const created: CreatedTopic[] = [];
  for (const { grades, ...level } of school) {
    const educationLevelId = await ensure('levels', level);
    for (const { subjects, ...grade } of grades) {
      const gradeId = await ensure('grades', grade, { educationLevelId });
      for (const { topics, ...subject } of subjects) {
        const fields = created.length === 0 ? { ...subject, ...mentor } : subject;
        const subjectId = await ensure('subjects', fields, { gradeId });
        for (const topic of topics) created.push({ subjectId, topicId: await ensure('topics', topic, { subjectId }) });
      }
    }
  }
  const [first] = created;
  if (!first) throw new Error('The school has no topics');
  return first;
}
