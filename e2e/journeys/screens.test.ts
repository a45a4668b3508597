import { describeScreens } from '../fixtures/screens.ts';

describeScreens();
