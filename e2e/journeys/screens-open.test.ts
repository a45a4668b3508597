import { describeOpened } from '../fixtures/screens.ts';

describeOpened();
