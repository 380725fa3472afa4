import checkbox from '@inquirer/checkbox';
import input from '@inquirer/input';
import select from '@inquirer/select';
import { Failure } from '../files/failure.ts';
import type { Answer, Question } from '../import/draft/questions.ts';

/** Uses standard error. Throws a Failure if the person ends the questions. */
export async function askAtTerminal(question: Question): Promise<Answer> {
  try {
    return await prompt(question);
  } catch (error) {
    if ((error as Error).name !== 'ExitPromptError') throw error;
    throw new Failure('settings_faults', 'nothing was written; with --yes, the questions are left in recipe.json');
  }
}

function prompt(question: Question): Promise<Answer> {
  const { text: message, allowed } = question;
  const context = { output: process.stderr };
  if (question.kind === 'choice')
    return select({ message, choices: question.choices.map((value) => ({ value })), pageSize: 12 }, context);
  if (question.kind === 'words')
    return checkbox(
      {
        message,
        choices: question.words.map((value) => ({ value, checked: !question.unlikely.includes(value) })),
        pageSize: 12,
      },
      context,
    );
  const usual = question.usual === null ? {} : { default: question.usual };
  const validate = (answer: string) => question.check(answer) || `expected ${allowed}`;
  return input({ message: `${message} (${allowed})`, ...usual, validate }, context);
}
