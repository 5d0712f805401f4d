interface Named {
  name: string;
  description: string;
}
interface Topic extends Named {
  content: string;
}
interface Subject extends Named {
  externalId?: string;
  topics: Topic[];
}
interface Grade extends Named {
  level: 'primary' | 'secondary' | 'higher';
  subjects: Subject[];
}
export interface Level extends Named {
  grades: Grade[];
}

const subject = (name: string, description: string, topics: [string, string, string][]): Subject => ({
  name,
  description,
  topics: topics.map(([topic, about, content]) => ({ name: topic, description: about, content })),
});

/** The subject that has the mentor and the learner. */
export const subjectOfAccounts = 'sample-mathematics';

/** The sample content, as a curriculum that is imported: 2 levels, 4 grades, 8 subjects, 24 topics. */
export const school: Level[] = [
  {
    name: 'Primary school',
    description: 'The first years of learning',
    grades: [
      {
        name: 'Grade 5',
        description: 'Ten to eleven years old',
        level: 'primary',
        subjects: [
          {
            externalId: subjectOfAccounts,
            ...subject('Mathematics', 'Numbers, fractions and shapes', [
              [
                'Whole numbers',
                'Counting, ordering, the number line',
                'Natural numbers count: 1, 2, 3 and so on. Every number has a successor, so there is no greatest one. On the number line the greater of two numbers lies to the right.',
              ],
              [
                'Fractions',
                'Parts of a whole',
                'A fraction names a part of a whole. In 3/4 the whole is cut into 4 equal parts, of which we take 3. Two fractions are equal when they lie at the same place on the number line, as 1/2 and 2/4 do.',
              ],
              [
                'Shapes',
                'Triangles, quadrilaterals and circles',
                'A triangle has three sides and its angles add up to 180 degrees. A rectangle has four right angles. All points of a circle have the same distance to its centre.',
              ],
            ]),
          },
          subject('Science', 'Living things and the world around us', [
            [
              'Plants',
              'Roots, stem, leaves and flowers',
              'Roots take up water, the stem carries it, and leaves use light to make sugar from water and carbon dioxide.',
            ],
            [
              'The water cycle',
              'Evaporation, clouds and rain',
              'The sun warms the sea, water rises as vapour, cools to clouds and falls as rain. Rivers bring it back.',
            ],
            [
              'Light and shadow',
              'Why shadows grow and shrink',
              'Light travels in straight lines. Where something stands in its way a shadow falls, long in the evening and short at noon.',
            ],
          ]),
        ],
      },
      {
        name: 'Grade 6',
        description: 'Eleven to twelve years old',
        level: 'primary',
        subjects: [
          subject('English', 'Reading, writing and grammar', [
            [
              'Parts of speech',
              'Nouns, verbs, adjectives and the rest',
              'A noun names, a verb describes what happens, an adjective says what something is like.',
            ],
            [
              'Paragraphs',
              'One thought at a time',
              'A paragraph holds one thought. Its first sentence says which; the others explain or prove it.',
            ],
            [
              'Letters',
              'Writing to other people',
              'Say who you are, why you write and what you hope for, in that order.',
            ],
          ]),
          subject('Geography', 'Maps, continents and climates', [
            [
              'Reading maps',
              'Scale, legend and north',
              'At a scale of 1 to 100,000 one centimetre on the map is one kilometre on the ground.',
            ],
            [
              'Continents',
              'Seven large pieces of land',
              'Africa, Antarctica, Asia, Australia, Europe, North America and South America.',
            ],
            [
              'Climates',
              'Why it is warm in one place and cold in another',
              'Near the equator the sun stands high and warms the ground more than near the poles.',
            ],
          ]),
        ],
      },
    ],
  },
  {
    name: 'Secondary school',
    description: 'From algebra to the history of our times',
    grades: [
      {
        name: 'Grade 9',
        description: 'Fourteen to fifteen years old',
        level: 'secondary',
        subjects: [
          subject('Algebra', 'Equations and functions', [
            [
              'Linear equations',
              'One unknown',
              'Whatever is done to one side of an equation must be done to the other: from 2x + 3 = 11 follows 2x = 8, and so x = 4.',
            ],
            [
              'Quadratic equations',
              'The unknown squared',
              'The solutions of x² + px + q = 0 are −p/2 ± √(p²/4 − q), where the root exists.',
            ],
            [
              'Functions',
              'A rule with one result',
              'A function gives each x of its domain exactly one y. Its graph shows them all.',
            ],
          ]),
          subject('Physics', 'Motion, force and energy', [
            [
              'Motion',
              'Distance, time and speed',
              'Speed is distance by time. Where it changes there is acceleration.',
            ],
            [
              'Forces',
              'What changes a motion',
              'A body keeps its motion unless a force acts on it; the force is mass times acceleration.',
            ],
            [
              'Energy',
              'Never made, never lost',
              'Energy changes its form: from height to speed, from speed to heat. Its sum stays the same.',
            ],
          ]),
        ],
      },
      {
        name: 'Grade 10',
        description: 'Fifteen to sixteen years old',
        level: 'secondary',
        subjects: [
          subject('Biology', 'Cells, genes and evolution', [
            [
              'Cells',
              'The smallest units of life',
              'Every living thing is made of cells. A membrane holds them together, and in most a nucleus keeps the plan.',
            ],
            [
              'Inheritance',
              'From parents to children',
              'Genes come in pairs, one from each parent. A dominant one shows even where the other differs.',
            ],
            [
              'Evolution',
              'How kinds change',
              'Children differ a little; who fits the surroundings better has more children. So kinds change over many generations.',
            ],
          ]),
          subject('History', 'The last two hundred years', [
            [
              'Industrial revolution',
              'Steam, coal and cities',
              'Machines moved work from homes to factories and people from villages to cities.',
            ],
            [
              'Two world wars',
              '1914 to 1945',
              'Alliances, nationalism and crises led to two wars that changed the borders of the world.',
            ],
            [
              'A connected world',
              'Trade, travel and networks',
              'Containers made goods travel cheaply; the internet did the same for words.',
            ],
          ]),
        ],
      },
    ],
  },
];
