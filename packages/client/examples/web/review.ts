import { type Client, type ItemOf, unwrap } from '@lms/client';
import { element } from './element.ts';

type Pending = ItemOf<'/api/admin/enrollment/pending'>;

/** An administrator's page: the requests that wait for a decision, oldest first. */
export async function reviewPage(client: Client): Promise<Node[]> {
  const list = element('ul', {});
  for await (const enrollment of client.each('/api/admin/enrollment/pending')) list.append(row(client, enrollment));
  const isEmpty = list.childElementCount === 0;
  return [element('h1', {}, 'Enrollment requests'), isEmpty ? element('p', {}, 'Nothing is waiting.') : list];
}

function row(client: Client, { id, user, subject, message }: Pending): HTMLElement {
  const params = { path: { id } };
  const item = element('li', {});
  const decide = (decision: Promise<{ status: string }>) =>
    decision.then(
      ({ status }) => buttons.replaceChildren(status.toLowerCase()),
      (reason: unknown) => buttons.replaceChildren(String(reason)),
    );
  const buttons = element(
    'div',
    { className: 'row' },
    element(
      'button',
      { onclick: () => decide(unwrap(client.PUT('/api/admin/enrollment/{id}/approve', { params }))) },
      'Approve',
    ),
    element(
      'button',
      {
        className: 'quiet',
        onclick: () => decide(unwrap(client.PUT('/api/admin/enrollment/{id}/reject', { params }))),
      },
      'Reject',
    ),
  );
  item.append(
    element('strong', {}, user.email),
    ` would like to enroll in ${subject.name}.`,
    element('div', { className: 'muted' }, message ?? ''),
    buttons,
  );
  return item;
}
