import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { basename, join } from 'node:path';
import { freePort } from '@lms/testing/servers';
import type { Test } from 'tap';
import { type Container, deployables, makeEnvironment, readCompose, root } from './compose-file.ts';

interface Started {
  child: ChildProcess;
  adminPort: number;
  /** 'listens', or the exit code and the output. */
  outcome: Promise<string>;
}

/** Returns the containers of the compose file by name, and a function that starts their programs on this machine. */
export function readContainers(t: Test) {
  const { variables, directory } = makeEnvironment(t);
  const { services, secrets } = readCompose(variables);

  /** Replaces ports, and paths inside the container, by those of this machine. */
  function adaptEnvironment(environment: Record<string, string>, adminPort: number): Record<string, string> {
    const adapted = Object.entries(environment).map(([name, value]): [string, string] => {
      const secret = secrets[basename(value)];
      if (name.endsWith('_FILE') && secret) return [name, join(directory, secret.file)];
      if (name === 'DATA_FILE') return [name, join(directory, basename(value))];
      if (name === 'HOST' || name === 'ADMIN_HOST') return [name, '127.0.0.1'];
      if (name === 'PORT') return [name, '0'];
      if (name === 'ADMIN_PORT') return [name, String(adminPort)];
      if (name === 'DATA_DIR') return [name, directory];
      return [name, value];
    });
    return Object.fromEntries(adapted);
  }

  function getContainer(name: string): Container {
    const container = services[name];
    if (!container) throw new Error(`no ${name} in the compose file`);
    return container;
  }

  /** Starts the program of a container with its environment from the compose file, whose servers do not exist here. */
  async function start({ build, command, environment = {} }: Container): Promise<Started> {
    const adminPort = await freePort();
    const folder = deployables.find((name) => basename(name) === build?.args.WORKSPACE) ?? 'unknown';
    const args = [join(root, folder, command?.[1] ?? 'dist/main.js')];
    const env = { PATH: process.env.PATH ?? '', ...adaptEnvironment(environment, adminPort) };
    const child = spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
    t.teardown(() => child.kill('SIGKILL'));
    let output = '';
    const listening = new Promise<string>((resolve) => {
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk) => {
          output += String(chunk);
          if (/listening/i.test(output)) resolve('listens');
        });
    });
    const ended = once(child, 'close').then(([code]) => `exit ${code}: ${output}`);
    return { child, adminPort, outcome: Promise.race([listening, ended]) };
  }

  return { containers: services, getContainer, start };
}
