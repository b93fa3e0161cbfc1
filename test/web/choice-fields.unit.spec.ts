import { expect } from 'chai';
import { selectField } from '#interfaces/web/design/choice-fields.ts';
import { filledForm } from './filled-form.ts';

const choices = [
  { value: 'aa', label: 'Afar' },
  { value: 'en', label: 'English' },
];

describe('A list to choose from', () => {
  const shown = (chosen: string): string | undefined => {
    const field = selectField({ name: 'language', label: 'Language', choices, chosen });
    return filledForm(`<form data-compose>${field.text}</form>`).fields[0]?.[1];
  };

  it('shows the chosen value, and the first one where none is chosen', () => {
    expect(shown('en')).to.equal('en');
    expect(shown('')).to.equal('aa');
  });

  it('keeps a value that is not among its choices', () => {
    expect(shown('xx"<')).to.equal('xx"<');
  });
});
