import { HttpError } from '../errors.ts';

export class UnknownKey extends HttpError {
  constructor() {
    super(404, 'not_found', 'No such key');
  }
}

export class LastKey extends HttpError {
  constructor() {
    super(409, 'last_key', 'The only key cannot be removed; rotate first');
  }
}

export class NotLocal extends HttpError {
  constructor() {
    super(403, 'forbidden', 'Keys can be changed from this machine only');
  }
}
