// Makes the bucket that media keeps its objects in, unless it is there. Runs in media's image, which brings the client.
import { CreateBucketCommand, HeadBucketCommand, S3Client } from '@aws-sdk/client-s3';

const { S3_ENDPOINT, S3_REGION, S3_BUCKET: Bucket, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = process.env;
const client = new S3Client({
  endpoint: S3_ENDPOINT,
  region: S3_REGION,
  credentials: { accessKeyId: S3_ACCESS_KEY_ID, secretAccessKey: S3_SECRET_ACCESS_KEY },
  forcePathStyle: true,
  maxAttempts: 10,
  requestChecksumCalculation: 'WHEN_REQUIRED',
});

try {
  await client.send(new HeadBucketCommand({ Bucket }));
  console.log(`bucket ${Bucket} is there`);
} catch (error) {
  if (error.$metadata?.httpStatusCode !== 404) throw error;
  await client.send(new CreateBucketCommand({ Bucket }));
  console.log(`bucket ${Bucket} made`);
}
