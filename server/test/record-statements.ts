import { recordStatements } from './embedded-statements.ts';

recordStatements();
