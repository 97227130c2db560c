# The program as an image:  docker build -t fibprover . && docker run --rm -it -v "$PWD:/work" fibprover
FROM python:3.12-slim AS build
RUN apt-get update && apt-get install --yes --no-install-recommends g++ && rm -rf /var/lib/apt/lists/*
COPY . /source
RUN pip wheel --no-cache-dir --wheel-dir /wheels '/source[drawing,labels,terminal]'

# Without the compiler and the sources.
FROM python:3.12-slim
COPY --from=build /wheels /wheels
RUN pip install --no-cache-dir --no-index --find-links /wheels 'fibprover[drawing,labels,terminal]' && rm -rf /wheels
WORKDIR /work
ENTRYPOINT ["fibprover"]
