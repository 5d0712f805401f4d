import { connect } from '@lms/database/connect';
import t from 'tap';
import { findCommand, formatUsage } from '../src/operator/command.ts';
import { eventCommands } from '../src/operator/event-commands.ts';
import { runMigrations } from '../src/operator/run-migrations.ts';
import { loadOperatorConfig, runOperator } from '../src/operator/run-operator.ts';

const commands = eventCommands(() => []);

t.test('a command is found only if all arguments match', async (t) => {
  for (const args of [
    ['dead-letters', 'list'],
    ['dead-letters', 'replay', 'an-id'],
    ['republish', 'an-id'],
    ['republish', '--since', '2026-11-21'],
    ['begin-epoch'],
  ])
    t.type(findCommand(commands, args), 'function', args.join(' '));
  const others = [
    [],
    ['dance'],
    ['dead-letters'],
    ['dead-letters', 'replay'],
    ['dead-letters', 'list', 'all'],
    ['republish'],
    ['republish', 'a', 'b'],
    ['--force'],
  ];
  for (const args of others) t.equal(findCommand(commands, args), undefined, args.join(' '));
});

t.test('a command gets the values of its parameters', async (t) => {
  const echo = {
    usage: 'move <from> to <to>',
    description: '',
    run: async (_: unknown, ...values: string[]) => values.join(),
  };
  const database = connect('postgres://127.0.0.1:1/unused');
  t.teardown(database.close);
  t.equal(await findCommand([echo], ['move', 'a', 'to', 'b'])?.({ database, settings: {} }), 'a,b');
});

t.test('the usage text lists all commands', async (t) => {
  const usage = formatUsage('content', commands);
  for (const { usage: line, description } of commands) t.match(usage, new RegExp(`^ {2}${line} +${description}$`, 'm'));
  t.match(usage, /is the database of content/);
});

t.test('the exit code distinguishes usage, settings and other errors', async (t) => {
  const run = async (env: Record<string, string>, ...args: string[]) => {
    const written = { out: '', err: '' };
    const pipe = (name: keyof typeof written) => ({
      write(text: string) {
        written[name] += text;
      },
    });
    const streams = { argv: ['node', 'operator', ...args], env, stdout: pipe('out'), stderr: pipe('err') };
    const options = { service: 'content', load: loadOperatorConfig, commands };
    return { code: await runOperator(options, streams), ...written };
  };
  t.match(await run({}, 'dance'), { code: 64, out: '', err: /^usage: operator/ });
  t.match(await run({}, 'dead-letters', 'list'), { code: 78, out: '', err: /DATABASE_URL: is required/ });
  t.match(await run({ DATABASE_URL: 'postgres://127.0.0.1:1/x' }, 'dead-letters', 'list'), { code: 1, out: '' });
});

t.test('migrating with settings that cannot be used ends with 78, and names all of them', async (t) => {
  const migrate = async (env: Record<string, string>) => {
    let err = '';
    const stderr = { write: (text: string) => (err += text) };
    return { code: await runMigrations({ service: 'content', folder: 'none' }, { env, stderr }), err };
  };
  t.match(await migrate({}), { code: 78, err: /MIGRATION_DATABASE_URL: is required/ });
  t.match(await migrate({ DATABASE_URL: 'x', MIGRATION_DATABASE_URL: 'y' }), {
    code: 78,
    err: /DATABASE_URL: must be .*\n.*MIGRATION_DATABASE_URL: must be /,
  });
});
