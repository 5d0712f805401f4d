import { type Client, unwrap } from '@lms/client';
import { element } from './element.ts';

/** The outline, which needs no sign-in. */
export async function coursesPage(client: Client): Promise<Node[]> {
  const levels = await unwrap(client.GET('/api/education/tree'));
  const link = ({ id, name, topicCount }: { id: string; name: string; topicCount: number }) =>
    element(
      'li',
      { className: 'row' },
      element('a', { href: `#/subjects/${id}` }, name),
      element('span', { className: 'muted' }, topicCount === 1 ? '1 topic' : `${topicCount} topics`),
    );
  return [
    element('h1', {}, 'Courses'),
    ...levels.flatMap((level) =>
      level.grades.flatMap((grade) => [
        element('h2', {}, `${level.name} · ${grade.name}`),
        element('ul', {}, ...grade.subjects.map(link)),
      ]),
    ),
  ];
}

/** A subject with its topics, the enrollment of the learner and the progress. */
export async function subjectPage(client: Client, id: string, isSignedIn: boolean): Promise<Node[]> {
  const path = { id };
  const subject = await unwrap(client.GET('/api/education/subjects/{id}', { params: { path } }));
  const list = element('ul', {});
  for await (const topic of client.each('/api/education/subjects/{id}/topics', { params: { path } }))
    list.append(
      element(
        'li',
        {},
        element('a', { href: `#/topics/${topic.id}` }, topic.name),
        element('div', { className: 'muted' }, topic.description),
      ),
    );
  return [
    element('h1', {}, subject.name),
    element('p', { className: 'muted' }, subject.description),
    isSignedIn ? await enrollmentPart(client, id) : element('p', {}, 'Sign in to enroll.'),
    list,
  ];
}

async function enrollmentPart(client: Client, subjectId: string): Promise<HTMLElement> {
  const query = { subjectId, limit: 1 };
  const [latest] = await unwrap(client.GET('/api/enrollment', { params: { query } }));
  if (latest?.status === 'APPROVED') {
    const { completed, total, percent } = await unwrap(
      client.GET('/api/learning/subjects/{id}/progress', { params: { path: { id: subjectId } } }),
    );
    return element('p', {}, `You are enrolled: ${completed} of ${total} topics completed (${percent} %).`);
  }
  if (latest?.status === 'PENDING') return element('p', {}, 'Your request is waiting for an administrator.');
  const part = element('div', {});
  const request = async () => {
    const { error } = await client.POST('/api/enrollment/request', { body: { subjectId } });
    // The code decides on the type of the details.
    const isOpen = error?.code === 'CONFLICT' && error.details.resource === 'Enrollment';
    part.replaceChildren(
      error && !isOpen ? `The request failed: ${error.error}` : 'Your request is waiting for an administrator.',
    );
  };
  part.append(element('button', { onclick: request }, 'Request enrollment'));
  return part;
}
