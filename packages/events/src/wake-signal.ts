/** Something to wait at for a while, or until it rings; a ring that nobody waited for shortens the next wait. */
export function createWakeSignal(closing: AbortSignal) {
  let notified = false;
  let wake: (() => void) | undefined;

  function notify() {
    notified = true;
    wake?.();
  }
  closing.addEventListener('abort', notify);

  async function wait(ms: number) {
    if (!notified)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    notified = closing.aborted;
    wake = undefined;
  }

  return { notify: notify, wait };
}
