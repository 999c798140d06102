import { additionalFields } from '../../fields/collections';
import { templateFields, title } from '../campaign/contentFields';

/** What a survey can have besides its name, its description and its questions (survey.create in emulator/openapi.yaml). */
export const surveyContent = additionalFields([...templateFields, title]);
