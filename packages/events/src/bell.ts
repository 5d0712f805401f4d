/** Something to wait at for a while, or until it rings; a ring that nobody waited for shortens the next wait. */
export function createBell(closing: AbortSignal) {
  let rung = false;
  let wake: (() => void) | undefined;

  function ring() {
    rung = true;
    wake?.();
  }
  closing.addEventListener('abort', ring);

  async function wait(ms: number) {
    if (!rung)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    rung = closing.aborted;
    wake = undefined;
  }

  return { ring, wait };
}
