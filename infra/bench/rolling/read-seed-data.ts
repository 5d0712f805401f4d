import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { signIn } from '../harness/local-stack.ts';

const Named = Type.Object({ id: Type.String() });
const Items = Type.Array(Named);
const Enrollments = Type.Array(Type.Object({ subjectId: Type.String(), status: Type.String() }));

export type SeedData = Awaited<ReturnType<typeof readSeedData>>;

/** Reads the tokens and ids of the seed data that the clients need. */
export async function readSeedData(gateway: string, provider: string) {
  const admin = await signIn(provider, 'admin@lms.test');
  const learner = await signIn(provider, 'learner@lms.test');
  const read = <T extends TSchema>(data: T, path: string, token?: string) =>
    readData(data, `${gateway}/api${path}`, token);
  const levels = await read(Items, '/education/levels');
  const enrolled = (await read(Enrollments, '/enrollment', learner)).find(({ status }) => status === 'APPROVED');
  const topics = await read(Items, `/education/subjects/${enrolled?.subjectId}/topics`);
  const video = await findVideo(
    gateway,
    learner,
    topics.map(({ id }) => id),
  );
  return { admin, learner, levelId: levels[0]?.id ?? '', ...video };
}

async function findVideo(gateway: string, token: string, topicIds: string[]) {
  for (const topicId of topicIds) {
    const response = await fetch(`${gateway}/api/education/topics/${topicId}/video`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const videoBytes = (await response.arrayBuffer()).byteLength;
    if (response.ok) return { topicId, videoBytes };
  }
  throw new Error('no topic of the learner has a video');
}

async function readData<T extends TSchema>(data: T, url: string, token?: string): Promise<Static<T>> {
  const response = await fetch(url, { headers: token ? { authorization: `Bearer ${token}` } : {} });
  return Value.Parse(data, Object(await response.json()).data);
}
