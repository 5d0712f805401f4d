import { Curriculum, curriculumSchemaPath } from '@lms/contracts/curriculum';
import { Ajv2020 } from 'ajv/dist/2020.js';
import t from 'tap';
import { startContent } from './content-service.ts';

const course = {
  version: 1,
  levels: [
    {
      externalId: 'p',
      name: 'Primary school',
      description: 'Years 1 to 4',
      grades: [
        {
          name: 'Grade 1',
          level: 'primary',
          subjects: [
            {
              name: 'Mathematics',
              description: 'Numbers',
              mentorEmail: null,
              topics: [
                {
                  name: 'Counting',
                  description: 'To ten',
                  content: 'One, two',
                  video: { file: 'media/counting.mp4', captions: [{ language: 'en', file: 'media/counting.vtt' }] },
                  documents: [{ file: 'media/..numbers.pdf', name: 'Numbers' }],
                },
              ],
            },
          ],
        },
      ],
    },
  ],
};

t.test('the JSON Schema of curriculum.json is published, and other validators understand it', async (t) => {
  const { app } = await startContent(t);
  const response = await app.inject(curriculumSchemaPath);
  t.equal(response.statusCode, 200);
  t.match(response.headers['content-type'], /^application\/schema\+json/);
  t.same(response.json(), JSON.parse(JSON.stringify(Curriculum)));
  const validate = new Ajv2020({ allErrors: true, formats: { 'web-url': true } }).compile(response.json());
  t.ok(validate(course), JSON.stringify(validate.errors));

  const [level] = course.levels;
  const pointerOf = (levels: unknown[]) => {
    validate({ version: 1, levels });
    return validate.errors?.map(({ instancePath, keyword }) => `${instancePath} ${keyword}`);
  };
  t.same(pointerOf([level, { ...level, title: 'x' }]), ['/levels/1 additionalProperties']);
  t.same(pointerOf([{ ...level, grades: [{ level: 'primary' }] }]), ['/levels/0/grades/0 required']);
  for (const file of ['/etc/passwd', '../x', 'a/../../x', 'a\\b', './x', 'a/..', ''])
    t.equal(
      validate({
        version: 1,
        levels: [
          {
            name: 'x',
            grades: [{ name: 'x', subjects: [{ name: 'x', topics: [{ name: 'x', documents: [{ file }] }] }] }],
          },
        ],
      }),
      false,
      file,
    );
});
