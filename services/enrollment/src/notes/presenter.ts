import { toWire } from '@lms/contracts/wire';
import type { NoteWithSubject } from './repository.ts';

export const toNote = (note: NoteWithSubject) => toWire(note);
