/** A timer that `notify` ends early. A notification between two waits ends the next wait at once. */
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

  return { notify, wait };
}
