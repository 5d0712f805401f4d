import { Refusal } from '../errors.ts';

export class UnknownKey extends Refusal {
  constructor() {
    super(404, 'not_found', 'No such key');
  }
}

export class LastKey extends Refusal {
  constructor() {
    super(409, 'last_key', 'The only key cannot be removed; rotate first');
  }
}

export class NotLocal extends Refusal {
  constructor() {
    super(403, 'forbidden', 'Keys are changed from this machine only');
  }
}
